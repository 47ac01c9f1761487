// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param id The id of the verification.
 * @param samePerson What was decided first. It stays.
 */
public record PhotoComparison(
    String id,
    boolean samePerson) {}
