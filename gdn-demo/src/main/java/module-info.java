/** The demonstration model, a small trained checkpoint as a resource. */
module dev.gdn.demo {
  exports dev.gdn.demo;
}
