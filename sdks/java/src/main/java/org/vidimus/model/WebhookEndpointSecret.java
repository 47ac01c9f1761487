// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param endpoint 
 * @param secret Starts with `whsec_`. Shown only once.
 */
public record WebhookEndpointSecret(
    WebhookEndpoint endpoint,
    String secret) {}
