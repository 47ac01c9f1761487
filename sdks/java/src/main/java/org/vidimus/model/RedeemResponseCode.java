// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import org.vidimus.Parameters;

/** What is sent. */
public final class RedeemResponseCode extends Parameters<RedeemResponseCode> {
    /** From the fragment of the redirect, `#response_code=…`. Works once. */
    public RedeemResponseCode responseCode(String value) { return set("response_code", value); }
}
