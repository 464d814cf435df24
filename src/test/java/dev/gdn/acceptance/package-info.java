/** What spans modules: the house rules, and the command from outside. Nothing calls it. */
package dev.gdn.acceptance;
