/** Writing files so that none is ever half written. The writers of this module call it. */
package dev.gdn.model.file;
