/**
 * The entry to a model, and the one exception that says what is wrong with a checkpoint. Programs
 * that embed the library call this package.
 */
package dev.gdn.model;
