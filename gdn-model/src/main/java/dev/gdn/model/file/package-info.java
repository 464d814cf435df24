/**
 * Writing files so that none is ever half written, and numbers to and from them. The writers and
 * layers of this module call it.
 */
package dev.gdn.model.file;
