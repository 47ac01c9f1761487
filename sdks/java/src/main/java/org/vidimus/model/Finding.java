// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param check The name of the check. Names are stable and listed in the error reference.
 * @param status `fail`: the verification failed because of this check. `warning`: it did not.
 * @param detail An explanation for people. The wording may change.
 */
public record Finding(
    String check,
    String status,
    String detail) {}
