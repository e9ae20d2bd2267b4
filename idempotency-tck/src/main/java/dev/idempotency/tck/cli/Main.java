// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.cli;

import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;

/**
 * {@code java -jar idempotency-tck.jar storm|conformance --url ...}. Exits with 0 if all is well, 1 if something was
 * found, 2 if it could not be run.
 */
public final class Main {

    private static final String USAGE = """
            java -jar idempotency-tck.jar <command> --url http://localhost:8080 [options]

            conformance    runs the rows of the HTTP contract (docs/conformance-kit.md)
            storm          sends a storm of retries (docs/testing.md)

              --path /webhooks/orders        required
              --deliveries 1000              how many different things are to happen
              --duplicates 4                 how often each is sent besides the first time
              --schedule stripe              impatient, stepped, standard-webhooks, svix, stripe, github, shopify, square, slack
              --compress-to PT5S             how long a schedule may take
              --reorder                      sends neighbours in another order
              --drop-replies 0.1             share of replies on which the sender hangs up
              --honour-retry-after           waits as long as it is told to
              --rate 500                     sendings per second
              --concurrency 16               attempts at once, at most 512
              --patience PT10S               how long a sender waits for an answer
              --limit PT2M                   when the storm ends, done or not
              --seed 1, --name s1            what chance is drawn from; what keys begin with
              --method POST, --content-type application/json
              --key-header X-Idempotency-Key, --no-key-header, --key {storm}-{n}
              --header 'Name: value'         may be repeated
              --body-template '{"order_id": {n}}'    {storm}, {n} and {key} are replaced, here and in header, key and path
              --effects-url http://...       answers a number, or a JSON object of effect id to count
              --effect-id {key}              what a delivery's effect is counted under

            --i-may-test-this-host NAME      for every host that is not this machine; what is sent there has real effects
            """;

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(args, System.out, System.err));
    }

    static int run(String[] args, PrintStream out, PrintStream err) {
        List<String> words = Arrays.asList(args);
        if (words.isEmpty() || words.contains("--help")) {
            out.print(USAGE);
            return words.isEmpty() ? 2 : 0;
        }
        try {
            Options options = Options.parse(words.subList(1, words.size()));
            return switch (words.get(0)) {
                case "storm" -> StormCommand.run(options, out);
                case "conformance" -> ConformanceCommand.run(options, out);
                default ->
                    throw new IllegalArgumentException(
                            "the command must be storm or conformance, but is " + words.get(0));
            };
        } catch (IllegalArgumentException | IllegalStateException | UncheckedIOException e) {
            err.println(e.getMessage());
            err.println("--help tells what there is");
            return 2;
        }
    }
}
