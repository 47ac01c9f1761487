// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param day A day in UTC.
 * @param verificationsCreated Verifications created on that day.
 */
public record UsageRecent(
    String day,
    long verificationsCreated) {}
