// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param id The id of the verification. Whoever knows it can poll the status.
 * @param status `pending` until a wallet responds. `completed`: every check passed. `failed`: see `error`. `expired`: nobody responded in time.
 */
public record VerificationStatus(
    String id,
    String status) {}
