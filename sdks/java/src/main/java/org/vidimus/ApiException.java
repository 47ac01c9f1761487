package org.vidimus;

/** The service refused the request. Decide by {@code code}, which is stable; the message is for people. */
public final class ApiException extends VidimusException {
    private final int status;
    private final String code;
    private final String requestId;
    private final Long retryAfterSeconds;
    private final String help;

    ApiException(String message, int status, String code, String requestId, Long retryAfterSeconds, String help) {
        super(message, null);
        this.status = status;
        this.code = code;
        this.requestId = requestId;
        this.retryAfterSeconds = retryAfterSeconds;
        this.help = help;
    }

    public int status() {
        return status;
    }

    /** A published code, or {@code unreadable_answer} if the response is not from the service, for example from a proxy. */
    public String code() {
        return code;
    }

    /** Identifies the request in the service's log. */
    public String requestId() {
        return requestId;
    }

    /** When to retry, according to the service; null if it did not say. */
    public Long retryAfterSeconds() {
        return retryAfterSeconds;
    }

    /** The address of this code's documentation. */
    public String help() {
        return help;
    }
}
