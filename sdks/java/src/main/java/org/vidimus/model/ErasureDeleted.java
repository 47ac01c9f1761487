// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

/**
 * The number of deleted rows of each kind.
 *
 * @param verificationSessions Deleted verifications: 1.
 * @param verificationResults Deleted results: 1 if a wallet had responded.
 * @param webhookDeliveries Deleted entries of the webhook log.
 */
public record ErasureDeleted(
    long verificationSessions,
    long verificationResults,
    long webhookDeliveries) {}
