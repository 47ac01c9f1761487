// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

/**
 * What is or was erased.
 *
 * @param verificationId The verification.
 * @param environment Its environment.
 * @param requestedAt When its holder asked.
 * @param dueAt Until when you answer. Only of a request.
 * @param executedAt When it was erased. Only once it is.
 */
public record WebhookEventErasure(
    String verificationId,
    String environment,
    String requestedAt,
    String dueAt,
    String executedAt) {}
