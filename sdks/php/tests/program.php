<?php

// Does what ../../test asks on standard input, one line each, and reports the outcome.

declare(strict_types=1);

use Vidimus\ApiException;
use Vidimus\ConnectionException;
use Vidimus\Model\Verification;
use Vidimus\SealedResultException;
use Vidimus\Sealing;
use Vidimus\StillPendingException;
use Vidimus\Vidimus;
use Vidimus\WebhookException;
use Vidimus\Webhooks;

require __DIR__ . '/autoload.php';

while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    $outcome = ['pauses_ms' => [], 'warnings' => []];
    try {
        $outcome['value'] = encode(match ($asked['do']) {
            'verify' => verify($asked['with']),
            'open' => openSealed($asked['with']),
            default => act(connect($asked['client'], $outcome), $asked['do'], $asked['with'] ?? []),
        });
    } catch (\Throwable $error) {
        $outcome['error'] = describe($error);
    }
    echo json_encode($outcome, JSON_THROW_ON_ERROR), "\n";
}

function connect(array $options, array &$outcome): Vidimus
{
    return new Vidimus(
        baseUrl: $options['base_url'],
        apiKey: $options['api_key'],
        timeoutSeconds: ($options['timeout_ms'] ?? 30_000) / 1000,
        retries: $options['retries'] ?? 2,
        onWarning: function (string $warning) use (&$outcome): void {
            $outcome['warnings'][] = $warning;
        },
        sleep: function (float $seconds) use (&$outcome): void {
            $outcome['pauses_ms'][] = (int) round($seconds * 1000);
        },
    );
}

function act(Vidimus $client, string $do, array $given): mixed
{
    $id = $given['id'] ?? '';
    $body = $given['body'] ?? [];
    $options = named($given['options'] ?? []);
    $verifications = $client->verifications;
    return match ($do) {
        'connect' => null,
        'create' => withPage($client, $verifications->create(...named($body), ...$options)),
        'retrieve' => withPage($client, $verifications->retrieve($id)),
        'list' => $verifications->list(...$options),
        'list_all' => iterator_to_array($verifications->listAll(...$options), false),
        'cancel' => $verifications->cancel($id),
        'compare' => $verifications->compare($id, ...named($body)),
        'redeem' => $verifications->redeem($id, ...named($body)),
        'delete' => $verifications->delete($id),
        'status' => $verifications->status($id),
        'wait' => $verifications->waitForCompletion($id, $given['timeout_ms'] / 1000, $given['interval_ms'] / 1000),
        'templates' => $client->templates->list(),
        'usage' => $client->usage->retrieve(),
        'create_device' => $client->devices->create(...named($body)),
        'list_devices' => $client->devices->list(),
        'update_device' => $client->devices->update($id, ...named($body)),
        'revoke_device' => $client->devices->revoke($id),
        'create_endpoint' => $client->webhookEndpoints->create(...named($body)),
        'update_endpoint' => $client->webhookEndpoints->update($id, ...named($body)),
        'rotate_secret' => $client->webhookEndpoints->rotateSecret($id),
        'delete_endpoint' => $client->webhookEndpoints->delete($id),
        'export_config' => $client->config->export(),
        'apply_config' => $client->config->apply(objects($body), ...$options),
        'call' => $client->call($given['operation'], $given['params'] ?? [], $given['query'] ?? [], $given['body'] ?? null),
    };
}

function withPage(Vidimus $client, object $verification): array
{
    return ['verification' => $verification, 'page' => $client->verifications->pageUrl($verification)];
}

/** The names of arguments are those of members in camel case. */
function named(array $members): array
{
    $names = array_map(fn (string $name) => lcfirst(str_replace('_', '', ucwords($name, '_'))), array_keys($members));
    return array_combine($names, array_values($members));
}

/** An empty object, which PHP reads as an empty array. */
function objects(array $document): array
{
    return array_map(fn (mixed $value) => $value === [] ? (object) [] : $value, $document);
}

function verify(array $given): mixed
{
    return Webhooks::verify(
        body: base64_decode($given['body']['base64']),
        headers: $given['headers'],
        secret: $given['secret'],
        toleranceSeconds: $given['tolerance_seconds'] ?? 300,
        now: $given['now'] ?? null,
    );
}

function openSealed(array $given): array
{
    $opened = Sealing::openResult(Verification::from($given['verification']), $given['keys']);
    return ['claims' => $opened->claims, 'credentials' => $opened->credentials];
}

/** Models without the members that are absent. */
function encode(mixed $value): mixed
{
    if ($value instanceof \stdClass) {
        return (object) array_map(encode(...), get_object_vars($value));
    }
    if (is_object($value)) {
        return (object) array_map(encode(...), array_filter(get_object_vars($value), fn (mixed $each) => $each !== null));
    }
    return is_array($value) ? array_map(encode(...), $value) : $value;
}

function describe(\Throwable $error): array
{
    $described = ['message' => $error->getMessage()];
    if ($error instanceof ApiException) {
        return $described + [
            'kind' => 'api',
            'code' => $error->errorCode,
            'status' => $error->status,
            'request_id' => $error->requestId,
            'retry_after_seconds' => $error->retryAfterSeconds,
            'help' => $error->help,
        ];
    }
    return $described + match (true) {
        $error instanceof WebhookException => ['kind' => 'webhook', 'reason' => $error->reason],
        $error instanceof SealedResultException => ['kind' => 'sealed', 'reason' => $error->reason],
        $error instanceof ConnectionException => ['kind' => 'connection'],
        $error instanceof StillPendingException => ['kind' => 'still_pending'],
        $error instanceof \InvalidArgumentException => ['kind' => 'argument'],
        default => ['kind' => 'unexpected ' . $error::class],
    };
}
