// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import java.util.List;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param day Today in UTC.
 * @param verificationsCreated Verifications created today.
 * @param dailyQuota How many can be created per day.
 * @param remaining How many can still be created today.
 * @param recent The last days on which any were created, newest first.
 */
public record Usage(
    String day,
    long verificationsCreated,
    long dailyQuota,
    long remaining,
    List<UsageRecent> recent) {}
