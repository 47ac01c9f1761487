// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param resource What it is, in words.
 * @param id Its id, if it has one.
 * @param secret Shown only once.
 */
public record AppliedConfigSecret(
    String resource,
    String id,
    String secret) {}
