// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

/**
 * Why the verification failed. Present only if failed.
 *
 * @param code Stable. Listed in the error reference.
 * @param message For people. The wording may change.
 */
public record VerificationError(
    String code,
    String message) {}
