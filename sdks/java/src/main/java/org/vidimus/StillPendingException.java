package org.vidimus;

/** {@code waitForCompletion} timed out. The wallet may still respond. */
public final class StillPendingException extends VidimusException {
    StillPendingException(String message) {
        super(message, null);
    }
}
