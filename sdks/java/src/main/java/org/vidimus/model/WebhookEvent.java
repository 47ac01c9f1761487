// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import java.util.Map;

/**
 * An event that the service signed. One of a type that this version does not know has `raw`: acknowledge and ignore it.
 *
 * @param type What happened, such as `verification.completed` or `alert.raised`. `webhook.test` comes from the dashboard: take no action.
 * @param verification The verification, in events about one.
 * @param sentAt When it was sent.
 * @param erasure What is or was erased.
 * @param alert The alert, in events about one.
 * @param environment The environment of a test event.
 * @param raw The event as it was sent, with the members that this version does not know.
 */
public record WebhookEvent(
    String type,
    Verification verification,
    String sentAt,
    WebhookEventErasure erasure,
    Alert alert,
    String environment,
    Map<String, Object> raw) {}
