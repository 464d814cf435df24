package dev.gdn.cli;

/** Bad input to a command; the message is shown as it is. */
final class InputException extends RuntimeException {
  private static final long serialVersionUID = 1;

  InputException(String message) {
    super(message);
  }

  InputException(String message, Throwable cause) {
    super(message, cause);
  }
}
