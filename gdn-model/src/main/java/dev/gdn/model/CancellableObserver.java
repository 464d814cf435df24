package dev.gdn.model;

import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.observer.ForwardObserver;
import java.util.function.BooleanSupplier;

/** Another observer, and a further reason to give up. */
record CancellableObserver(ForwardObserver observer, BooleanSupplier cancelled)
    implements ForwardObserver {
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
    observer.progress(done, total);
  }

  @Override
  public boolean isCancelled() {
    return cancelled.getAsBoolean() || observer.isCancelled();
  }
}
