<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Resource;

/** What `Vidimus::call` can do, by the name of the operation in the API reference. */
final class Calls
{
    public const ALL = [
        'getTemplate' => ['GET', '/v1/templates/{key}', 'always'],
        'putTemplate' => ['PUT', '/v1/templates/{key}', 'always'],
        'deleteTemplate' => ['DELETE', '/v1/templates/{key}', 'unless_lost'],
        'lintTemplate' => ['POST', '/v1/templates/lint', 'unless_lost'],
        'tryTemplate' => ['POST', '/v1/templates/try', 'unless_lost'],
        'assignRegistration' => ['PUT', '/v1/templates/{key}/registration', 'always'],
        'getSettings' => ['GET', '/v1/settings', 'always'],
        'changeBrand' => ['PUT', '/v1/settings/brand', 'always'],
        'changePolicies' => ['PATCH', '/v1/settings/policies', 'always'],
        'changeHolderPage' => ['PATCH', '/v1/settings/holder_page', 'always'],
        'changeRequestLog' => ['PUT', '/v1/settings/request_log', 'always'],
        'changeTrustPolicy' => ['PUT', '/v1/settings/trust_policy', 'always'],
        'changeIdentity' => ['PUT', '/v1/settings/identity', 'always'],
        'changeEcosystemIdentity' => ['PUT', '/v1/settings/identities/{ecosystem}', 'always'],
        'listServiceAnchors' => ['GET', '/v1/trust_anchors', 'always'],
        'addAnchors' => ['POST', '/v1/trust_anchors', 'unless_lost'],
        'removeAnchor' => ['DELETE', '/v1/trust_anchors/{fingerprint}', 'unless_lost'],
        'listRegistrations' => ['GET', '/v1/registrations', 'always'],
        'addRegistration' => ['POST', '/v1/registrations', 'unless_lost'],
        'getRegistration' => ['GET', '/v1/registrations/{id}', 'always'],
        'changeRegistration' => ['PATCH', '/v1/registrations/{id}', 'always'],
        'removeRegistration' => ['DELETE', '/v1/registrations/{id}', 'unless_lost'],
        'checkRegistration' => ['POST', '/v1/registrations/{id}/check', 'unless_lost'],
        'changeRegistrationSettings' => ['PATCH', '/v1/registrations/settings', 'always'],
        'listOpenIdClients' => ['GET', '/v1/openid_clients', 'always'],
        'createOpenIdClient' => ['POST', '/v1/openid_clients', 'unless_lost'],
        'changeOpenIdClient' => ['PATCH', '/v1/openid_clients/{id}', 'always'],
        'deleteOpenIdClient' => ['DELETE', '/v1/openid_clients/{id}', 'unless_lost'],
        'rollOpenIdClientSecret' => ['POST', '/v1/openid_clients/{id}/roll_secret', 'unless_lost'],
        'listLinks' => ['GET', '/v1/verification_links', 'always'],
        'createLink' => ['POST', '/v1/verification_links', 'unless_lost'],
        'getLink' => ['GET', '/v1/verification_links/{id}', 'always'],
        'changeLink' => ['PATCH', '/v1/verification_links/{id}', 'always'],
        'deleteLink' => ['DELETE', '/v1/verification_links/{id}', 'unless_lost'],
        'listSealingKeys' => ['GET', '/v1/sealing_keys', 'always'],
        'registerSealingKey' => ['POST', '/v1/sealing_keys', 'unless_lost'],
        'activateSealingKey' => ['POST', '/v1/sealing_keys/{kid}/activate', 'unless_lost'],
        'retireSealingKey' => ['DELETE', '/v1/sealing_keys/{kid}', 'unless_lost'],
        'listErasureRequests' => ['GET', '/v1/erasure_requests', 'always'],
        'refuseErasureRequest' => ['POST', '/v1/erasure_requests/{id}/refuse', 'unless_lost'],
        'getReceipt' => ['GET', '/v1/verifications/{id}/receipt', 'always'],
        'listReceipts' => ['GET', '/v1/receipts', 'always'],
        'getReport' => ['GET', '/v1/report', 'always'],
        'listKeys' => ['GET', '/v1/api_keys', 'always'],
        'createKey' => ['POST', '/v1/api_keys', 'unless_lost'],
        'revokeKey' => ['DELETE', '/v1/api_keys/{id}', 'unless_lost'],
        'listTeam' => ['GET', '/v1/members', 'always'],
        'getAlertWebhook' => ['GET', '/v1/settings/alert_webhook', 'always'],
        'setAlertWebhook' => ['PUT', '/v1/settings/alert_webhook', 'unless_lost'],
        'removeAlertWebhook' => ['DELETE', '/v1/settings/alert_webhook', 'unless_lost'],
        'listDeliveries' => ['GET', '/v1/deliveries', 'always'],
        'resendWebhook' => ['POST', '/v1/deliveries/{id}/resend', 'unless_lost'],
        'resendFailed' => ['POST', '/v1/deliveries/resend', 'unless_lost'],
        'getResend' => ['GET', '/v1/deliveries/resend', 'always'],
        'listRequests' => ['GET', '/v1/requests', 'always'],
        'listAudit' => ['GET', '/v1/audit', 'always'],
        'exportAudit' => ['GET', '/v1/audit/export', 'always', 'application/jsonl'],
        'getAuditKey' => ['GET', '/v1/audit/public_key', 'always'],
    ];
}
