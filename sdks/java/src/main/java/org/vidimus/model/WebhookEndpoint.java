// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import java.util.List;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param id The id of the endpoint.
 * @param url Where events are sent.
 * @param environment The environment of the key that created it.
 * @param events The events that it gets.
 * @param description Your note, or an empty text.
 * @param enabled Whether events are sent to it.
 * @param disabledReason Why it is disabled: you asked for it, or every attempt of five days failed.
 * @param disabledAt When it was disabled.
 * @param failingSince The first failed attempt since the last that succeeded. Absent while it works.
 * @param secretCreatedAt When its signing secret was created.
 * @param previousSecretRetiresAt Until then the previous secret signs too.
 * @param createdAt When it was created.
 */
public record WebhookEndpoint(
    String id,
    String url,
    String environment,
    List<String> events,
    String description,
    boolean enabled,
    String disabledReason,
    String disabledAt,
    String failingSince,
    String secretCreatedAt,
    String previousSecretRetiresAt,
    String createdAt) {}
