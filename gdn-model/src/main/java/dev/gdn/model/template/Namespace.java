package dev.gdn.model.template;

import java.util.Map;

/** What {@code namespace()} makes: the one value whose attributes a template can set. */
record Namespace(Map<String, Object> attributes) {}
