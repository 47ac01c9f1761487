package org.vidimus;

/** There was no response: not reached, connection lost, or timed out. The request may still have taken effect. */
public final class ConnectionException extends VidimusException {
    ConnectionException(String message, Throwable cause) {
        super(message, cause);
    }
}
