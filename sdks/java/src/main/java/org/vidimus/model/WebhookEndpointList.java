// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import java.util.List;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param data Newest first, at most 16.
 */
public record WebhookEndpointList(
    List<WebhookEndpoint> data) {}
