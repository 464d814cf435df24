/** The demonstration model. Any program may call it; it calls nothing of this library. */
package dev.gdn.demo;
