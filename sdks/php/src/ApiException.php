<?php

declare(strict_types=1);

namespace Vidimus;

/** The service refused the request. Decide by `errorCode`, which is stable; the message is for people. */
final class ApiException extends VidimusException
{
    public function __construct(
        string $message,
        public readonly int $status,
        /** A published code, or `unreadable_answer` if the response is not from the service, for example from a proxy. */
        public readonly string $errorCode,
        /** Identifies the request in the service's log. */
        public readonly ?string $requestId = null,
        /** When to retry, according to the service. */
        public readonly ?int $retryAfterSeconds = null,
        /** The address of this code's documentation. */
        public readonly ?string $help = null,
    ) {
        parent::__construct($message);
    }
}
