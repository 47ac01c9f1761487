package org.vidimus;

/** The base class of all exceptions of this package. */
public class VidimusException extends RuntimeException {
    VidimusException(String message, Throwable cause) {
        super(message, cause);
    }
}
