// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import java.util.List;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param data Newest first. For the next page, give the last `created_at` as `before`.
 * @param nextBefore Only with a filter: give it as `before` for the next page. A filtered page can have fewer verifications than `limit`, even none, and more can follow. Absent on the last page.
 */
public record VerificationList(
    List<Verification> data,
    String nextBefore) {}
