/** The picture of docs/performance.md, drawn from its figures. */
package dev.gdn.acceptance.picture;
