package org.vidimus;

/** A webhook that must not be trusted. {@code reason} is for programs; the message says what to check. */
public final class WebhookException extends VidimusException {
    private final String reason;

    WebhookException(String reason, String message) {
        super(message, null);
        this.reason = reason;
    }

    public String reason() {
        return reason;
    }
}
