// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import java.util.List;
import org.vidimus.Parameters;

/** What is sent. */
public final class RegisterDevice extends Parameters<RegisterDevice> {
    /** How you recognise the device. */
    public RegisterDevice name(String value) { return set("name", value); }
    /** The keys of the templates that it may use. Each must exist. */
    public RegisterDevice allowedTemplates(List<String> value) { return set("allowed_templates", value); }
    /** How long the pairing code works, in seconds. */
    public RegisterDevice pairingTtlSeconds(Long value) { return set("pairing_ttl_seconds", value); }
}
