/**
 * The gated delta rule, one type for each step of the algorithm, written as the formulas read.
 *
 * <p>Conventions that hold everywhere in this library:
 *
 * <ul>
 *   <li><b>State.</b> The recurrent state of one sequence is {@code [value heads, K, V]} float32,
 *       row-major: entry {@code (h, i, j)} stands at {@code (h * K + i) * V + j}. Its rows are key
 *       dimensions, its columns value dimensions.
 *   <li><b>Decay.</b> {@code g} is a natural logarithm, at most 0: a state decays by {@code e^g}.
 *       Only differences of cumulative logs that are at most 0 are ever exponentiated, and nothing
 *       is divided by a decay.
 *   <li><b>Kinds.</b> {@link dev.gdn.core.rule.Gates} and {@link dev.gdn.core.rule.StateUpdate} say
 *       which rule of the family it is: S ← diag(e^(g+gk)) S diag(e^gv); u = β ∘ (v − Sᵀk), or β ∘
 *       v; S ← S + k uᵀ; o = s Sᵀq.
 *   <li><b>Heads.</b> {@link dev.gdn.core.rule.HeadMapping} says which key head a value head uses:
 *       grouped in hub checkpoints, tiled in GGUF files.
 *   <li><b>Shape letters.</b> B batch, T tokens, H key heads, HV value heads, K key width, V value
 *       width, C chunk.
 * </ul>
 *
 * <p>Sources: Yang, Kautz, Hatamizadeh, <i>Gated Delta Networks</i> (arXiv 2412.06464), section 3;
 * Yang et al., <i>Parallelizing Linear Transformers with the Delta Rule over Sequence Length</i>
 * (arXiv 2406.06484), section 3, for the WY/UT form; Kimi Team, <i>Kimi Linear</i> (arXiv
 * 2510.26692), for gates per key channel; Yang et al., <i>Gated Linear Attention Transformers with
 * Hardware-Efficient Training</i> (arXiv 2312.06635), section 4, for these without the delta term
 * and for decays split between sub-blocks.
 */
package dev.gdn.core.rule;
