// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import java.util.List;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param data Newest first.
 */
public record DeviceList(
    List<Device> data) {}
