// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param id The id of the erased verification.
 * @param deleted The number of deleted rows of each kind.
 * @param erasedAt When it was erased.
 */
public record Erasure(
    String id,
    ErasureDeleted deleted,
    String erasedAt) {}
