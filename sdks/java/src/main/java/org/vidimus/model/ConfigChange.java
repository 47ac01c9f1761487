// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param action What happens to it.
 * @param resource What it is, in words.
 * @param before Its part of the configuration before. Absent if new.
 * @param after Its part afterwards. Absent if deleted.
 * @param applied Whether this change was made.
 */
public record ConfigChange(
    String action,
    String resource,
    Object before,
    Object after,
    boolean applied) {}
