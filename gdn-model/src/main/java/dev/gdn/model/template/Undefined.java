package dev.gdn.model.template;

/**
 * What a name or a key stands for that is not there. It is false, prints as nothing and has no
 * elements; anything else done with it fails.
 *
 * @param problem what the failure says
 */
record Undefined(String problem) {
  static Undefined name(String name) {
    return new Undefined("'" + name + "' is undefined");
  }

  /** The failure of an operation on it. */
  Problem failure() {
    return new Problem(problem);
  }
}
