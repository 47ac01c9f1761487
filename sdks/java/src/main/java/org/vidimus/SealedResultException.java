package org.vidimus;

/**
 * A sealed result that cannot be opened ({@code no_key}, {@code damaged}, {@code unsupported}, {@code unusable_key}), or must not be accepted
 * ({@code other_verification}).
 */
public final class SealedResultException extends VidimusException {
    private final String reason;

    SealedResultException(String reason, String message, Exception cause) {
        super(message, cause);
        this.reason = reason;
    }

    public String reason() {
        return reason;
    }
}
