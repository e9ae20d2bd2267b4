// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.idempotency.sample.operations.PromQl.Selector;
import dev.idempotency.store.IdempotencyStore;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.json.JsonMapper;

/** Every query of docs/operations finds what it asks for on a scrape of the running sample, and every alert has its help. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "idempotency.jdbc.cleanup.interval=1s",
            "idempotency.defaults.breaker.window=5m", // however busy the machine is
            "idempotency.biz-types.inventory.on-completed=conflict",
            "idempotency.biz-types.inventory.on-orphan=uncertain",
            "idempotency.biz-types.payment.store-failure=open",
            "idempotency.biz-types.payment.timeout=5s",
            "idempotency.biz-types.standard.route-breaker.repeats=1",
            "idempotency.dead-letters.max-body-size=40KB",
            "idempotency.dead-letters.max-size=40KB",
            "spring.datasource.hikari.connection-timeout=1000"
        })
@ActiveProfiles("jdbc")
@Import(Gate.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DirtiesContext // its database is gone
class OperationsTest {

    private static final Path OPERATIONS = Path.of("../docs/operations");
    private static final Pattern VARIABLE_QUERY = Pattern.compile("label_values\\((.*), (\\w+)\\)");
    private static final Pattern LEGEND_LABEL = Pattern.compile("\\{\\{(\\w+)}}");
    private static final Pattern ALERT_LABEL = Pattern.compile("\\$labels\\.(\\w+)");
    private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);
    private static final Pattern SUFFIX = Pattern.compile("(_seconds)?_(total|count|sum|max)$");

    private static final Server DATABASE = startDatabase();

    @LocalServerPort
    private int port;

    @Autowired
    private IdempotencyStore store;

    @Autowired
    private Gate gate;

    private Scrape scrape;
    private Dashboard dashboard;
    private List<Alert> alerts;

    @DynamicPropertySource
    static void url(DynamicPropertyRegistry properties) {
        properties.add(
                "spring.datasource.url",
                () -> "jdbc:h2:tcp://localhost:" + DATABASE.getPort() + "/mem:operations;DB_CLOSE_DELAY=-1");
    }

    private static Server startDatabase() {
        try {
            return Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeAll
    void scrapeTheRunningSample() throws IOException {
        Traffic traffic = new Traffic("http://localhost:" + port, store, gate);
        traffic.drive();
        traffic.driveThrough(DATABASE::stop);
        scrape = Scrape.parse(traffic.get("/actuator/prometheus"));
        dashboard = JsonMapper.builder()
                .build()
                .readValue(Files.readString(OPERATIONS.resolve("grafana-dashboard.json")), Dashboard.class);
        alerts = alerts(new Yaml().load(Files.readString(OPERATIONS.resolve("prometheus-rules.yml"))));
    }

    @AfterAll
    static void stop() {
        DATABASE.stop();
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Dashboard(List<Panel> panels, Templating templating) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Panel(String title, List<Target> targets, Map<String, Object> datasource) {

        List<Target> queries() {
            return targets == null ? List.of() : targets; // a row has none
        }
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Target(String expr, String legendFormat) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Templating(List<Variable> list) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Variable(String name, String type, String definition) {}

    record Alert(String name, String expr, Map<String, String> annotations) {}

    @SuppressWarnings("unchecked")
    private static List<Alert> alerts(Map<String, List<Map<String, List<Map<String, Object>>>>> rules) {
        return rules.get("groups").stream()
                .flatMap(group -> group.get("rules").stream())
                .map(rule -> new Alert((String) rule.get("alert"), (String) rule.get("expr"), (Map<String, String>)
                        rule.get("annotations")))
                .toList();
    }

    @Test
    void everyPanelFindsWhatItAsksFor() {
        List<String> faults = new ArrayList<>();
        for (Panel panel : dashboard.panels()) {
            for (Target target : panel.queries()) {
                faults(target.expr(), groups(LEGEND_LABEL, target.legendFormat()))
                        .forEach(fault -> faults.add(panel.title() + ": " + fault));
            }
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void theFourMonitorsAreEachOnePanel() {
        assertThat(dashboard.panels().stream().map(Panel::title))
                .containsOnlyOnce(
                        "Repeat rate",
                        "Retries by what the previous attempt had ended in",
                        "TTL coverage",
                        "Human intervention");
    }

    @Test
    void everyMeterIsOnAPanelAndInTheTable() throws IOException {
        Set<String> meters = new TreeSet<>();
        scrape.ours().forEach(metric -> meters.add(meter(metric)));
        Set<String> shown = new TreeSet<>();
        queries().forEach(query -> PromQl.parse(query).selectors().forEach(one -> shown.add(meter(one.metric()))));
        String table = Files.readString(Path.of("../docs/operations.md"));

        assertThat(shown).containsAll(meters);
        assertThat(meters).allSatisfy(meter -> assertThat(table).contains("`" + meter.replace('_', '.') + "`"));
    }

    private static String meter(String metric) {
        return SUFFIX.matcher(metric).replaceFirst("");
    }

    @Test
    void theDashboardCanBeImportedAnywhere() {
        assertThat(dashboard.templating().list())
                .anySatisfy(variable -> assertThat(variable).isEqualTo(new Variable("datasource", "datasource", null)));
        assertThat(dashboard.panels().stream().map(Panel::datasource).filter(source -> source != null))
                .allSatisfy(source -> assertThat(source).containsEntry("uid", "${datasource}"));
        dashboard.templating().list().stream()
                .filter(variable -> variable.definition() != null)
                .forEach(variable -> assertThat(
                                VARIABLE_QUERY.matcher(variable.definition()).results())
                        .singleElement()
                        .satisfies(query -> assertThat(faults(query.group(1), List.of(query.group(2))))
                                .isEmpty()));
    }

    @Test
    void everyAlertFindsWhatItAsksFor() {
        List<String> faults = new ArrayList<>();
        for (Alert alert : alerts) {
            faults(alert.expr(), groups(ALERT_LABEL, alert.annotations().get("summary")))
                    .forEach(fault -> faults.add(alert.name() + ": " + fault));
        }
        assertThat(alerts).isNotEmpty();
        assertThat(faults).isEmpty();
    }

    @Test
    void everyAlertLeadsToItsHeadingAndEveryHeadingToAnAlert() throws IOException {
        String runbook = Files.readString(OPERATIONS.resolve("runbook.md"));
        List<String> headings = groups(HEADING, runbook);

        assertThat(headings.stream().filter(heading -> heading.startsWith("Idempotency")))
                .containsExactlyInAnyOrderElementsOf(
                        alerts.stream().map(Alert::name).toList());
        assertThat(alerts)
                .allSatisfy(alert -> assertThat(alert.annotations())
                        .containsEntry(
                                "runbook",
                                "docs/operations/runbook.md#" + alert.name().toLowerCase(Locale.ROOT)));
    }

    /** Where Prometheus' own tool is there, it has the last word on rules and on the dashboard's queries. */
    @Test
    void promtoolAcceptsEveryQuery(@TempDir Path directory) throws Exception {
        if (Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .noneMatch(path -> Files.isExecutable(Path.of(path, "promtool")))) {
            return;
        }
        StringBuilder rules = new StringBuilder("groups: [ { name: dashboard, rules: [\n");
        int number = 0;
        for (String query : queries()) {
            String inserted = query.replace("$__rate_interval", "5m").replace("'", "''");
            rules.append("{ record: 'panel:")
                    .append(number++)
                    .append("', expr: '")
                    .append(inserted)
                    .append("' },\n");
        }
        Path file = Files.writeString(directory.resolve("rules.yml"), rules.append("] } ]"));

        promtool("check", "rules", OPERATIONS.resolve("prometheus-rules.yml").toString(), file.toString());
        promtool(
                "test", "rules", OPERATIONS.resolve("prometheus-rules-test.yml").toString());
    }

    private static void promtool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }

    private List<String> queries() {
        return dashboard.panels().stream()
                .flatMap(panel -> panel.queries().stream())
                .map(Target::expr)
                .toList();
    }

    /** What is wrong with a query, and with the labels that are shown of its result. */
    private List<String> faults(String query, List<String> shown) {
        PromQl parsed = PromQl.parse(query);
        List<String> faults = new ArrayList<>();
        parsed.selectors().forEach(selector -> faults.addAll(scrape.faults(selector)));
        parsed.labels().stream()
                .filter(label -> parsed.selectors().stream().noneMatch(selector -> has(selector, label)))
                .forEach(label -> faults.add("no label " + label + " to group by"));
        shown.stream()
                .filter(label -> parsed.labels().isEmpty()
                        ? parsed.selectors().stream().noneMatch(selector -> has(selector, label))
                        : !parsed.labels().contains(label))
                .forEach(label -> faults.add("no label " + label + " to show"));
        return faults;
    }

    private boolean has(Selector selector, String label) {
        return scrape.has(selector.metric(), label);
    }

    private static List<String> groups(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult result) -> result.group(1))
                .toList();
    }
}
