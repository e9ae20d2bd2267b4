DROP TABLE IF EXISTS idempotency_record;
DROP TABLE IF EXISTS idempotency_dead_letter;
DROP TABLE IF EXISTS idempotency_dead_letter_queue;
DROP TABLE IF EXISTS idempotency_route;
