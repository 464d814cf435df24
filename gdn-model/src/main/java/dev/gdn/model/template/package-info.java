/**
 * The part of Jinja that chat templates use, with the results of Jinja2 3.1 in the sandbox that
 * transformers sets up: {@code trim_blocks}, {@code lstrip_blocks}, loop controls, {@code {%
 * generation %}}, {@code raise_exception}, {@code strftime_now} and a {@code tojson} without HTML
 * escapes. {@link dev.gdn.model.chat} calls {@link dev.gdn.model.template.Template}; everything
 * else is internal.
 *
 * <p>A template is untrusted. It sees copies of JSON values and nothing else, no Java object is
 * looked into, and steps, characters and nesting are bounded ({@code Budget}).
 *
 * <p>Values are what JSON becomes in Java: {@code null} for {@code none}, {@code Boolean}, {@code
 * Long} (and {@code BigInteger} from outside) for {@code int}, {@code Double}, {@code String},
 * {@code List}, {@code Map}; besides these {@code Tuple}, {@code Undefined}, {@code Namespace},
 * {@code LoopVariable} and {@code Function}. Their {@code equals}, {@code hashCode} and {@code
 * toString} are not used, but {@code Values} and {@code PythonText}, which give Python's results
 * within the budget.
 *
 * <p>Left out, and refused by name where a template uses it: template inheritance and inclusion,
 * recursive loops, {@code *} and {@code **} in calls, formatting by {@code %}, autoescaping. {@code
 * safe} returns its text; what Jinja's marked text does when joined by {@code +} to text that is
 * not marked, which is escaping the latter, is not imitated.
 */
package dev.gdn.model.template;
