/** The examples of the guide, compiled and run. */
package dev.gdn.acceptance.guide;
