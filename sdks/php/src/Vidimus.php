<?php

declare(strict_types=1);

namespace Vidimus;

use Vidimus\Resource\Calls;
use Vidimus\Resource\ConfigResource;
use Vidimus\Resource\DevicesResource;
use Vidimus\Resource\TemplatesResource;
use Vidimus\Resource\UsageResource;
use Vidimus\Resource\VerificationsResource;
use Vidimus\Resource\WebhookEndpointsResource;

/** A client for a merchant's server. */
final class Vidimus
{
    public readonly VerificationsResource $verifications;
    public readonly TemplatesResource $templates;
    public readonly DevicesResource $devices;
    public readonly ConfigResource $config;
    public readonly WebhookEndpointsResource $webhookEndpoints;
    public readonly UsageResource $usage;
    private readonly Connection $connection;

    /**
     * @param string $baseUrl The address of the service, for example `https://verify.example`.
     * @param string|false|null $apiKey `vk_test_…` or `vk_live_…`. False, as of a variable that is not set, is refused.
     * @param float $timeoutSeconds How long one attempt may take.
     * @param int $retries How often a request is retried when that is safe.
     * @param (callable(string): mixed)|null $onWarning Called for each warning of a response, such as a mistake in a query that was accepted. By default it is written to the error log.
     * @param (callable(float): mixed)|null $sleep How to pause, in seconds.
     */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] string|false|null $apiKey,
        float $timeoutSeconds = 30,
        int $retries = 2,
        ?callable $onWarning = null,
        ?callable $sleep = null,
    ) {
        $this->connection = new Connection(
            $baseUrl,
            $apiKey,
            $timeoutSeconds,
            $retries,
            ($onWarning ?? fn (string $warning) => error_log("Vidimus: $warning"))(...),
            ($sleep ?? fn (float $seconds) => usleep((int) ($seconds * 1e6)))(...),
        );
        $this->verifications = new VerificationsResource($this->connection);
        $this->templates = new TemplatesResource($this->connection);
        $this->devices = new DevicesResource($this->connection);
        $this->config = new ConfigResource($this->connection);
        $this->webhookEndpoints = new WebhookEndpointsResource($this->connection);
        $this->usage = new UsageResource($this->connection);
    }

    /**
     * Calls an operation that manages templates, settings, trust, clients, keys or logs, by its name in the API reference. Returns the
     * JSON of the response as an object, or its text if that is not JSON.
     *
     * @param list<string> $params What fills its path.
     * @param array<string, mixed> $query
     * @param array<string, mixed>|object|null $body
     */
    public function call(string $operation, array $params = [], array $query = [], array|object|null $body = null): mixed
    {
        [$method, $path, $retry] = Calls::ALL[$operation]
            ?? throw new \InvalidArgumentException("There is no operation $operation. The API reference lists them.");
        if (substr_count($path, '{') !== count($params)) {
            throw new \InvalidArgumentException("$operation needs " . substr_count($path, '{') . " parameters for $path.");
        }
        return $this->connection->call(
            $method,
            Resource::path($path, ...$params),
            $retry,
            body: $body === [] ? (object) [] : $body,
            query: $query,
            accept: Calls::ALL[$operation][3] ?? 'application/json',
            asObject: true,
        );
    }
}
