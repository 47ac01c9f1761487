// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param device 
 * @param pairingCode `VD-XXXX-XXXX`. Shown only once.
 */
public record RegisteredDevice(
    Device device,
    String pairingCode) {}
