/** Looking into a forward pass. Applications implement it; sessions and layers call it. */
package dev.gdn.model.observer;
