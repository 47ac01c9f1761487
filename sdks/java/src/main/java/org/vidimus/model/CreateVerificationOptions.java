// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import org.vidimus.Parameters;

/** The options of createVerification. */
public final class CreateVerificationOptions extends Parameters<CreateVerificationOptions> {
    /** Whether a `query` that violates DCQL is 400 instead of 201 with a warning. By default what your policies say, at first `false`. */
    public CreateVerificationOptions strict(Boolean value) { return set("strict", value); }
    /** 1-255 printable ASCII characters without spaces. The same key and body within 24 hours return the first response again. */
    public CreateVerificationOptions idempotencyKey(String value) { return set("idempotency_key", value); }
}
