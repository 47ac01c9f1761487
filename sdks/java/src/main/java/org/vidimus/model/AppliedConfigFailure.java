// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

/**
 * Why a change was not made. It and those after it are not applied; send the document again to complete it.
 *
 * @param resource What it is, in words.
 * @param code The error code.
 * @param message What went wrong.
 */
public record AppliedConfigFailure(
    String resource,
    String code,
    String message) {}
