<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Resource;

use Vidimus\Model\WebhookEndpoint;
use Vidimus\Model\WebhookEndpointList;
use Vidimus\Model\WebhookEndpointSecret;
use Vidimus\Resource;

/** Receivers for the events of all verifications. */
final class WebhookEndpointsResource extends Resource
{
    /**
     * Create a webhook endpoint.
     *
     * @param string $url Where to send events. http or https, on a public address, without user name or password.
     * @param list<string> $events The events that it gets.
     * @param string|null $description A note for yourself.
     * @param bool|null $enabled Whether to send events to it from now on.
     */
    public function create(
        string $url, array $events, ?string $description = null, ?bool $enabled = null,
    ): WebhookEndpointSecret
    {
        return WebhookEndpointSecret::from($this->call(
            'POST', '/v1/webhook_endpoints', 'unless_lost',
            body: self::present([
                'url' => $url, 'events' => $events, 'description' => $description, 'enabled' => $enabled,
            ]),
        ));
    }

    /** List webhook endpoints, newest first. */
    public function list(): WebhookEndpointList
    {
        return WebhookEndpointList::from($this->call('GET', '/v1/webhook_endpoints', 'always'));
    }

    /** Get a webhook endpoint. */
    public function retrieve(string $id): WebhookEndpoint
    {
        return WebhookEndpoint::from($this->call(
            'GET', self::path('/v1/webhook_endpoints/{id}', $id), 'always',
        ));
    }

    /**
     * Change, disable or enable a webhook endpoint.
     *
     * @param string|null $url Where to send events from now on, also those that are being retried.
     * @param list<string>|null $events The events that it gets from now on.
     * @param string|null $description A note for yourself.
     * @param bool|null $enabled False stops everything that is sent to it. True starts again, whyever it was disabled.
     */
    public function update(
        string $id, ?string $url = null, ?array $events = null, ?string $description = null,
        ?bool $enabled = null,
    ): WebhookEndpoint
    {
        return WebhookEndpoint::from($this->call(
            'PATCH', self::path('/v1/webhook_endpoints/{id}', $id), 'always',
            body: self::present([
                'url' => $url, 'events' => $events, 'description' => $description, 'enabled' => $enabled,
            ]),
        ));
    }

    /** Delete a webhook endpoint; what is waiting for it is not sent. */
    public function delete(string $id): WebhookEndpoint
    {
        return WebhookEndpoint::from($this->call(
            'DELETE', self::path('/v1/webhook_endpoints/{id}', $id), 'unless_lost',
        ));
    }

    /** Give a webhook endpoint a new secret; both secrets sign for 24 hours. */
    public function rotateSecret(string $id): WebhookEndpointSecret
    {
        return WebhookEndpointSecret::from($this->call(
            'POST', self::path('/v1/webhook_endpoints/{id}/rotate_secret', $id), 'unless_lost',
        ));
    }
}
