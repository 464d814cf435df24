/** Whole models against what the reference implementation computes. */
package dev.gdn.acceptance.models;
