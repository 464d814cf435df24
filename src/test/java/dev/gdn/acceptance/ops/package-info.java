/** The gated delta rule and its parts against vectors computed from the definitions in float64. */
package dev.gdn.acceptance.ops;
