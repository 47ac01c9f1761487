// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import org.vidimus.Parameters;

/** What is sent. */
public final class RenewPairingCode extends Parameters<RenewPairingCode> {
    /** How long the pairing code works, in seconds. */
    public RenewPairingCode pairingTtlSeconds(Long value) { return set("pairing_ttl_seconds", value); }
}
