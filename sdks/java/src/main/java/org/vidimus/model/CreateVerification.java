// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import java.util.Map;
import org.vidimus.Parameters;

/** Give exactly one of `template` and `query`. */
public final class CreateVerification extends Parameters<CreateVerification> {
    /** The key of a built-in template or one of your own. */
    public CreateVerification template(String value) { return set("template", value); }
    /** Values for the parameters of the template, such as the age of `age_over`. Those that it gives a default may be left out. `GET /v1/templates` lists them. */
    public CreateVerification parameters(Map<String, Object> value) { return set("parameters", value); }
    /** What you expect of the claims that the template compares. The result says yes or no for each, never the claim. Kept encrypted, only while the verification is pending. */
    public CreateVerification expected(Map<String, String> value) { return set("expected", value); }
    /** A DCQL query (OpenID4VP 1.0) of at most 32768 characters as JSON. */
    public CreateVerification query(Map<String, Object> value) { return set("query", value); }
    /** Where the result is posted. Must be a public address. Use https; http is accepted with a warning. */
    public CreateVerification webhookUrl(String value) { return set("webhook_url", value); }
    /** Where the holder is sent after responding, with a one-time code to redeem in the fragment. Must not have a fragment itself. An app has a scheme with its domain name, such as `com.shop.app:/return`. */
    public CreateVerification redirectUrl(String value) { return set("redirect_url", value); }
    /** How long a wallet can respond, in seconds. */
    public CreateVerification ttlSeconds(Long value) { return set("ttl_seconds", value); }
    /** How many responses may fail before the verification does. By default what your policies say, at first 1. */
    public CreateVerification maxAttempts(Long value) { return set("max_attempts", value); }
    /** Where a holder without a wallet can proceed. The page offers it as another way to verify. */
    public CreateVerification alternativeUrl(String value) { return set("alternative_url", value); }
    /** At most 50 members. Names and values together have at most 8192 bytes as UTF-8. */
    public CreateVerification metadata(Map<String, String> value) { return set("metadata", value); }
    /** The reason, as the holder is told. */
    public CreateVerification purpose(String value) { return set("purpose", value); }
}
