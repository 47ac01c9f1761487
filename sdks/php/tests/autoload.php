<?php

// What Composer writes for the `autoload` of composer.json.

declare(strict_types=1);

spl_autoload_register(function (string $class): void {
    if (str_starts_with($class, 'Vidimus\\')) {
        require dirname(__DIR__) . '/src/' . strtr(substr($class, strlen('Vidimus\\')), '\\', '/') . '.php';
    }
});
