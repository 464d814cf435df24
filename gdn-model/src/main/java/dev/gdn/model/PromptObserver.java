package dev.gdn.model;

import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.observer.ForwardObserver;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;

/** Another observer, a further reason to give up, and how many tokens of a prompt are read. */
final class PromptObserver implements ForwardObserver {
  private final ForwardObserver observer;
  private final BooleanSupplier cancelled;
  private OptionalInt total = OptionalInt.empty();

  PromptObserver(ForwardObserver observer, BooleanSupplier cancelled) {
    this.observer = observer;
    this.cancelled = cancelled;
  }

  /** Tokens that are read; empty as long as that is not known. */
  OptionalInt total() {
    return total;
  }

  @Override
  public void hidden(int layer, int position, int tokens, TokenTensor hidden) {
    observer.hidden(layer, position, tokens, hidden);
  }

  @Override
  public boolean wantsLogits() {
    return observer.wantsLogits();
  }

  @Override
  public void logits(int position, float[] values, int offset, int count) {
    observer.logits(position, values, offset, count);
  }

  @Override
  public void progress(int done, int total) {
    this.total = OptionalInt.of(total);
    observer.progress(done, total);
  }

  @Override
  public boolean isCancelled() {
    return cancelled.getAsBoolean() || observer.isCancelled();
  }
}
