package dev.gdn.model.template;

/** What a template can call: a macro, a method of a value, or one of the global functions. */
@FunctionalInterface
interface Function {
  Object call(Arguments arguments, Context context);
}
